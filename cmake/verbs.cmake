# What the verbs of ./run that need several things build: `run` names one target, and what it is made of stands here.
# demos and tessera_libraries are among them: all demos with a window, and all that a program is started on.

# tessera_verb(NAME TARGET...): the target verb_NAME. Nothing of it is built by itself.
function(tessera_verb name)
  add_custom_target(verb_${name})
  add_dependencies(verb_${name} ${ARGN})
endfunction()

# The chip's model, timed on some demos and kernels.
tessera_verb(bench_model model_bench tessera tessera_libraries gears textured cube water mandelbrot kernel_programs)
# The benchmark on this driver and on others.
tessera_verb(bench_peers tessera_bench tessera_libraries angle_egl)
tessera_verb(model_reports tessera tessera_libraries demos kernel_programs)
tessera_verb(trim_report tessera tessera_libraries demos kernels)
tessera_verb(programs tessera tessera_libraries)
# With a program behind `--`, which the command starts.
tessera_verb(tessera tessera tessera_libraries)
# Those demos whose animations are compared, and what Python's arrays are got by.
tessera_verb(determinism random_scenes cube gears textured water shadow skinning bumps deferred fixed isa-triangle isa-cube
                         isa-mandelbrot isa-plasma python_package)
tessera_verb(second_opinion random_scenes plain_scenes tessera_libraries)
tessera_verb(certify certify tessera kernels random_scenes demos msaa-scene extensions-scene es3-scene)
# The headers that are made, which every source that is read has to find.
tessera_verb(lint jit_build_id executor_id_header)
