"""The Spack package. From the repository's root, to build the checkout itself:

  spack repo add packaging/spack
  spack dev-build tidewise@0.1.0
"""

from spack.package import *  # required by Spack


class Tidewise(CMakePackage, CudaPackage):
    """Plans paths of autonomous marine vehicles through uncertain currents."""

    license("MIT")

    # A release adds its archive and checksum here; until then Spack builds a checkout ('dev-build').
    version("0.1.0")

    variant("mpi", default=False, description="Several processes share missions and batches")
    variant("netcdf", default=True, description="Bring forecasts in ('env import')")
    variant("gyre", default=True, description="Wind-driven gyres (links FFTW)")
    variant("xml", default=True, description="Decision processes in XML")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5@1.10: +hl ~mpi")
    depends_on("zlib-api")
    depends_on("fmt@9:")
    depends_on("highway@1:")
    depends_on("cli11@2:", type="build")
    depends_on("tomlplusplus@3:", type="build")
    depends_on("nlohmann-json@3:", type="build")
    depends_on("eigen@3.4:", type="build")
    depends_on("netcdf-c", when="+netcdf")
    depends_on("proj@9:", when="+netcdf")
    depends_on("fftw-api@3", when="+gyre")
    depends_on("expat", when="+xml")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")

    requires("target=x86_64_v3:", when="target=x86_64:")

    generator("ninja")

    def cmake_args(self):
        """CMake options of the variants."""
        arguments = [
            self.define("TIDEWISE_TESTS", False),
            self.define_from_variant("TIDEWISE_MPI", "mpi"),
            self.define_from_variant("TIDEWISE_IMPORT", "netcdf"),
            self.define_from_variant("TIDEWISE_GYRE", "gyre"),
            self.define_from_variant("TIDEWISE_XML", "xml"),
            self.define_from_variant("TIDEWISE_CUDA", "cuda"),
        ]
        architectures = self.spec.variants["cuda_arch"].value if "+cuda" in self.spec else ("none",)
        if architectures[0] != "none":
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", ";".join(architectures)))
        return arguments
