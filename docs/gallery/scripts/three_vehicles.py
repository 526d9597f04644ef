import matplotlib.pyplot as plt
import numpy as np
import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=2)
field = ocean.dataset
speed = np.hypot(field.u_mean, field.v_mean).mean("time")
figure, axes = plt.subplots(figsize=(5, 4.6), layout="constrained")
axes.pcolormesh(field.lon, field.lat, speed, cmap="Blues", rasterized=True)
for through_water, colour in ((0.35, "#d55e00"), (0.5, "#009e73"), (1.0, "#cc79a7")):
    run = tw.plan(tw.Mission(ocean, tw.Vehicle(speeds=[through_water]), start=(-126.0, 46.8),
                             target=(-124.95, 48.45), target_radius=5000.0),
                  out=f"at_{through_water}")
    ends, flights = run.flights.ends, run.trajectories
    hours = ends.duration[ends.arrived].mean().total_seconds() / 3600
    axes.plot(flights.lon.T, flights.lat.T, color=colour, linewidth=1)
    axes.plot([], [], color=colour, label=f"{through_water} m/s: {ends.arrived.mean():.0%} arrive, after {hours:.0f} h")
    if through_water == 0.35:
        run.view("three_vehicles.html")
axes.set(xlabel="longitude", ylabel="latitude", xticks=[-126, -125, -124],
         aspect=1 / np.cos(np.radians(48)), facecolor="#d6cdb8")
axes.legend(loc="upper left", fontsize=8)
figure.savefig("three_vehicles.png", dpi=110)
