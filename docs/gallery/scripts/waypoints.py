import csv

import matplotlib.pyplot as plt
import numpy as np
import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=4)
run = tw.plan(tw.Mission(ocean, tw.Vehicle(speeds=[0.5]), start=(-126.0, 46.8),
                         target=(-124.95, 48.45), target_radius=3000.0), out="waypoints")
print(run.export("waypoints.csv"))
with open("waypoints.csv") as table:
    route = [(float(row["lon"]), float(row["lat"])) for row in csv.DictReader(table)]

field, flights = ocean.dataset, run.trajectories
speed = np.hypot(field.u_mean, field.v_mean).mean("time")
figure, axes = plt.subplots(figsize=(5, 4.6), layout="constrained")
water = axes.pcolormesh(field.lon, field.lat, speed, cmap="Blues", rasterized=True)
figure.colorbar(water, label="mean current [m/s]")
axes.plot(flights.lon.T, flights.lat.T, color="#009e73", linewidth=0.8)
axes.plot(*zip(*route), "s--", color="#b3005e", markersize=4, label="waypoints")
axes.plot([], [], color="#009e73", label="flights of the policy")
axes.set(xlabel="longitude", ylabel="latitude", xticks=[-126, -125, -124],
         aspect=1 / np.cos(np.radians(48)), facecolor="#d6cdb8")
axes.legend(loc="upper left")
figure.savefig("waypoints.png", dpi=110)
run.view("waypoints.html")
