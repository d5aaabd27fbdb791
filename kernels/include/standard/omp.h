// OpenMP's functions on one thread: its pragmas have no effect here, and time stands still.
#pragma once

inline int omp_get_num_threads() { return 1; }
inline int omp_get_max_threads() { return 1; }
inline int omp_get_num_procs() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline void omp_set_num_threads(int) {}
inline double omp_get_wtime() { return 0.0; }
