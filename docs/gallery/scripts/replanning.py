import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=4)
monday = tw.plan(tw.Mission(ocean, tw.Vehicle(speeds=[0.5]), start=(-126.0, 46.8),
                            target=(-124.95, 48.45), target_radius=3000.0))
tuesday = monday.replan("glider.csv", localisation="24h", out="replanning")
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
axes.set(xlabel="longitude", ylabel="latitude", xticks=[-126, -125, -124],
         aspect=1 / np.cos(np.radians(48)), facecolor="#d6cdb8")
axes.legend(loc="upper left")
figure.savefig("replanning.png", dpi=110)
tuesday.view("replanning.html")
