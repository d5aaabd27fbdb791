//! The ideas of this lab, in the order in which a host function should get them.

use lab::{Idea, Part};

/// Of the task.
pub const IDEAS: &[Idea] = &[
    Idea {
        rung: 3,
        name: "the image stays on the GPU",
        lacks: |signs| signs.managed_bytes > 0.5 || signs.link_bytes > 5.0,
        eases: &Part::ALL,
        idea: "copy the image to the GPU once and the result back once, between buffers from `cudaMalloc`",
        sketch: "Three bytes per pixel have to go there, one has to come back. Everything between stays in device memory: gray, stretched, smoothed. Only the 256 \
                 counters may travel between the steps.",
        code: "
cudaMemcpy(device_rgb, rgb, 3 * pixels, cudaMemcpyHostToDevice);
// all kernels
cudaMemcpy(out, device_out, pixels, cudaMemcpyDeviceToHost);
",
    },
    Idea {
        rung: 4,
        name: "page-locked buffers",
        lacks: |signs| signs.pageable_bytes > 0.5,
        eases: &Part::ALL,
        idea: "page-lock the caller's two buffers before the copies, and unlock them at the end",
        sketch: "The driver copies pageable memory twice, first to a buffer of its own. `cudaHostRegister` makes the caller's memory page-locked for the time of \
                 the function, and copies then run at the speed of the link.",
        code: "
cudaHostRegister(const_cast<uint8_t*>(rgb), 3 * pixels, cudaHostRegisterDefault);
// copies and kernels
cudaHostUnregister(const_cast<uint8_t*>(rgb));
",
    },
    Idea {
        rung: 5,
        name: "copies beside kernels",
        lacks: |signs| signs.streams < 1.5,
        eases: &Part::ALL,
        idea: "cut the image into bands of rows and use two streams, so that copies run beside kernels",
        sketch: "While one band is copied to the GPU, gray and count the band before it, in the other stream. The stretch needs all counts: wait once. Then, while \
                 one band is smoothed, copy back the band before it. Smoothing needs two rows of its neighbours.",
        code: "
cudaStream_t streams[2];
for (auto& stream : streams) cudaStreamCreate(&stream);
for (int band = 0; band < bands; ++band) {
    cudaMemcpyAsync(/* rows of the band */, cudaMemcpyHostToDevice, streams[band % 2]);
    gray_kernel<<<blocks, threads, 0, streams[band % 2]>>>(/* the same rows */);
}
",
    },
    Idea {
        rung: 6,
        name: "fused kernels",
        lacks: |signs| signs.loads > 15.0,
        eases: &Part::ALL,
        idea: "do less per band: gray and count in one kernel, stretch and smooth in one kernel with a tile in shared memory",
        sketch: "The link is busy nearly all the time; what remains is the work before the first and after the last byte. Gray and count read the image once. The \
                 smoothing loads a tile with its halo once, stretched by a table on the way in.",
        code: "
gray_histogram_kernel<<<blocks, threads, 0, stream>>>(rgb, gray, bins, /* rows */);
stretch_smooth_kernel<<<blocks, threads, 0, stream>>>(gray, table, out, /* rows */);
",
    },
    Idea {
        rung: 8,
        name: "the fastest kernels",
        lacks: |signs| signs.instructions > 60.0,
        eases: &Part::ALL,
        idea: "use your fastest kernels of labs 1 to 4, and small first and last bands: little work is left after the last byte has arrived",
        sketch: "Nothing overlaps the first copy and the last one. Make the first band small so that computing begins early, and the last small so that little is \
                 left to compute and to copy back.",
        code: "
const int rows = band == 0 || band == bands - 1 ? small : large;
",
    },
];
