# HDF5 as SCREE_HDF5 (libraries) and SCREE_HDF5_DIRS (headers). The serial and the MPI build may both be installed, but one
# process cannot use both: the serial one is used unless HDF5_PREFER_PARALLEL is ON.

option(HDF5_PREFER_PARALLEL "Use the MPI build of HDF5" OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
if(HDF5_IS_PARALLEL AND NOT HDF5_PREFER_PARALLEL)
    message(FATAL_ERROR "The HDF5 found is an MPI build: ${HDF5_C_LIBRARIES}. Install the serial one, or set "
                        "HDF5_PREFER_PARALLEL=ON if all other code in the process uses the MPI build.")
endif()
set(SCREE_HDF5 ${HDF5_C_LIBRARIES})
set(SCREE_HDF5_DIRS ${HDF5_C_INCLUDE_DIRS})
# a shared HDF5 links its own dependencies
list(FILTER SCREE_HDF5 INCLUDE REGEX "libhdf5[^/]*\\.(so|dylib)$")
if(NOT SCREE_HDF5)
    set(SCREE_HDF5 ${HDF5_C_LIBRARIES})
endif()
if(HDF5_IS_PARALLEL)
    find_package(MPI REQUIRED COMPONENTS C)
    list(APPEND SCREE_HDF5 ${MPI_C_LIBRARIES})
    list(APPEND SCREE_HDF5_DIRS ${MPI_C_INCLUDE_DIRS})
endif()
