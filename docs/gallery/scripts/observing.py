import matplotlib.pyplot as plt
import numpy as np
import tidewise as tw

ocean = tw.Environment.from_netcdf("rtofs_washington_2024.nc", spacing="3km", step="3h", lagged=4)
run = tw.plan(tw.Mission(ocean, tw.Vehicle(speeds=[0.5]), start=(-126.0, 46.8),
                         target=(-124.95, 48.45), target_radius=3000.0))
posterior = run.observe("glider.csv", localisation="24h")
print(posterior.learned)

legs = posterior.learned.innovations
hours = 3 * np.arange(1, len(legs) + 1)
figure, panels = plt.subplots(1, 2, figsize=(8, 3), layout="constrained", sharey=True)
for axes, name in zip(panels, "uv"):
    axes.errorbar(hours, legs[f"{name}_forecast"], legs[f"{name}_spread"], fmt="o", color="#8b9299",
                  capsize=3, label="forecast ± spread")
    axes.plot(hours, legs[f"{name}_posterior"], "s", color="#0072b2", label="believed now")
    axes.plot(hours, legs[name], "x", color="black", markersize=8, label="observed")
    axes.set(xlabel="hours after departure", ylabel=f"{name} [m/s]")
panels[0].legend()
figure.savefig("observing.png", dpi=110)
later = tw.plan(tw.Mission(posterior, tw.Vehicle(speeds=[0.5]), start=(-125.3789, 46.79665), target=(-124.95, 48.45),
                           target_radius=3000.0, departure="2024-10-29T15:00"), out="observing")
later.view("observing.html")
