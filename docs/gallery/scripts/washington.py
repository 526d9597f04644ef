import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=4)
mission = tw.Mission(ocean, tw.Vehicle(speeds=[0.5]), start=(-126.0, 46.8),
                     target=(-124.95, 48.45), target_radius=3000.0)
run = tw.plan(mission, out="washington")

hours = 3600
run.plot.mission(times=[36 * hours, 84 * hours], width=14).savefig("washington.png", dpi=110)
run.view("washington.html")
