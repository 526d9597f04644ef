import matplotlib.pyplot as plt
import tidewise as tw

ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=60, modes=2, realizations=50)
places = dict(start=(20.5, 8.5), target=(20.5, 32.5), target_radius=2.0)
runs = {objective: tw.plan(tw.Mission(ocean, tw.Vehicle([0.5, 1.0], c_f=1.0, c_t=0.0), **places,
                                      objective=objective), out=objective) for objective in ("time", "energy")}

figure, panels = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
for (objective, run), colour in zip(runs.items(), ("#0072b2", "#d55e00")):
    flights = run.trajectories.where(run.trajectories.outcome == 0)
    panels[0].plot(flights.x.T[:, ::2], flights.y.T[:, ::2], color=colour, alpha=0.35, linewidth=0.8)
    ends = run.flights.ends
    panels[1].plot(ends.duration[ends.arrived], ends.energy[ends.arrived], ".", color=colour,
                   label=f"least {objective}: {ends.arrived.mean():.0%} arrive")
panels[0].set(xlabel="x [cells]", ylabel="y [cells]", aspect="equal")
panels[1].set(xlabel="time to arrival [steps]", ylabel="energy spent")
panels[1].legend()
figure.savefig("fast_or_sparing.png", dpi=110)
runs["time"].view("fast_or_sparing.html", others=[runs["energy"]])
