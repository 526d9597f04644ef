import matplotlib.pyplot as plt
import tidewise as tw

mooring, near = (16.5, 24.5), 3
zone = [[22, 14], [29, 14], [29, 27], [22, 27]]
ocean = tw.Environment.double_gyre(nx=40, ny=40, levels=60, modes=2, realizations=50)
mission = tw.Mission(ocean, tw.Vehicle(speeds=[1.5]), start=(6.5, 8.5), target=(33.5, 32.5), target_radius=2.0,
                     via=[dict(point=mooring, radius=near)], no_go=[dict(polygon=zone)])
run = tw.plan(mission, out="places_to_pass")

figure = run.plot.mission(times=[8, 18], width=14)
for axes in figure.axes[:2]:
    axes.add_patch(plt.Circle(mooring, near, fill=False, linewidth=1.5))
    axes.add_patch(plt.Polygon(zone, fill=False, hatch="///", linewidth=1.5))
figure.savefig("places_to_pass.png", dpi=110)
run.view("places_to_pass.html")
