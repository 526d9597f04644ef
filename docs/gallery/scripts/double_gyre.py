import tidewise as tw

ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=60, modes=2, realizations=100)
mission = tw.Mission(ocean, tw.Vehicle(speeds=[0.5, 1.0]), start=(20.5, 8.5),
                     target=(20.5, 32.5), target_radius=2.0)
run = tw.plan(mission, out="double_gyre")

run.plot.mission(times=[6, 20], width=14).savefig("double_gyre.png", dpi=110)
run.view("double_gyre.html")
