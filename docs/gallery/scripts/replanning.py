import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=4)
monday = tw.plan(tw.Mission(ocean, tw.Vehicle(speeds=[0.5]), start=(-126.0, 46.8),
                            target=(-124.95, 48.45), target_radius=3000.0))
tuesday = monday.replan("glider.csv", localisation="24h", surfacing="6h", out="replanning")
print(tuesday.comparison)

fixes = pd.read_csv("glider.csv")
field = ocean.dataset
speed = np.hypot(field.u_mean, field.v_mean).mean("time")
figure, axes = plt.subplots(figsize=(5, 4.6), layout="constrained")
axes.pcolormesh(field.lon, field.lat, speed, cmap="Blues", rasterized=True)
for run, colour, name in ((monday, "#8b9299", "flights of the old plan"), (tuesday, "#009e73", "of the new one")):
    axes.plot(run.trajectories.lon.T, run.trajectories.lat.T, color=colour, linewidth=0.9)
    axes.plot([], [], color=colour, label=name)
axes.plot(fixes.lon, fixes.lat, "o-", color="black", markersize=3, label="flown so far")
with open("replanning/surfacing.geojson") as file:
    for region in json.load(file)["features"]:
        axes.plot(*np.transpose(region["geometry"]["coordinates"][0]), color="#d55e00", linewidth=1)
axes.plot([], [], color="#d55e00", label="in 6 h, with 50 and 90 %")
axes.set(xlabel="longitude", ylabel="latitude", xticks=[-126, -125, -124],
         aspect=1 / np.cos(np.radians(48)), facecolor="#d6cdb8")
axes.legend(loc="upper left")
figure.savefig("replanning.png", dpi=110)
tuesday.view("replanning.html")
