"""Times CuPy on the GPU and OpenCV on the CPU, where this Python has them, as peers.cuh does for other libraries.

Called as `peers.py WIDTH HEIGHT OPERATIONS DIVISOR,F0,...,F24 [FOLDER]` with the picture on standard input: RGB, then
gray. Prints one JSON object a library: what it is, and its rows; or why there are none.

These are the calls a user would write. What Python takes to issue them is part of their time where the GPU is faster
than Python, so that there are no batches. OpenCV runs on as many threads as it likes, and once more on one.
"""

import itertools
import json
import statistics
import sys
import time

RUNS = 15
FLUSH_BYTES = 256 << 20
WARM_UP = 0.2  # seconds
CPU_SECONDS = 0.2  # of an operation on a CPU, after which no further run is begun; there are three at the least
ONE_THREAD_PIXELS = 100_000_000  # a larger picture takes one thread too long


def main():
    width, height = int(sys.argv[1]), int(sys.argv[2])
    operations = sys.argv[3].split(",")
    divisor, *weights = (int(number) for number in sys.argv[4].split(","))
    folder = sys.argv[5] if len(sys.argv) > 5 else None
    picture = sys.stdin.buffer.read()
    if len(weights) != 25 or len(picture) != 4 * width * height:
        sys.exit("the picture or the filter is too short")
    order = {"operations": operations, "divisor": divisor, "weights": weights, "folder": folder}
    order["numbers"] = itertools.count()
    for library, measure in (("CuPy", cupy_rows), ("OpenCV-CUDA", opencv_cuda_rows), ("OpenCV", opencv_rows)):
        said = {"library": library}
        try:
            import numpy

            pixels = width * height
            order["rgb"] = numpy.frombuffer(picture, numpy.uint8, 3 * pixels).reshape(height, width, 3)
            order["gray"] = numpy.frombuffer(picture, numpy.uint8, pixels, 3 * pixels).reshape(height, width)
            said["version"], said["rows"] = measure(order)
        except ImportError as error:
            said["missing"] = f"{error}"
        except LookupError as error:
            said["missing"] = str(error.args[0])
        print(json.dumps(said), flush=True)


def rows(order, peer, calls, clock, keep):
    """A row for each operation that is asked for; `clock` gives milliseconds, runs, and what the call returned."""
    done = []
    for operation, call in calls.items():
        if operation not in order["operations"]:
            continue
        row = {"operation": operation, "peer": f"{peer} {call.__doc__}"}
        try:
            row["ms"], row["runs"], result = clock(call)
            if order["folder"] and result is not None:
                row["output"] = f"{operation}-{next(order['numbers'])}"
                keep(result).tofile(f"{order['folder']}/{row['output']}")
        except Exception as error:  # whatever a library does not like is said of this row alone
            row["refused"] = f"{type(error).__name__}: {error}"[:200]
        done.append(row)
    return done


def median_of_runs(once):
    """Milliseconds, runs and last result of what `once` times, warmed up."""
    begun = time.monotonic()
    while time.monotonic() - begun < WARM_UP:
        once()
    times = []
    for _ in range(RUNS):
        ms, result = once()
        times.append(ms)
    return statistics.median(times), RUNS, result


def cupy_rows(order):
    import cupy
    from cupyx.scipy import ndimage

    rgb, gray = cupy.asarray(order["rgb"]), cupy.asarray(order["gray"])
    flush = cupy.empty(FLUSH_BYTES, cupy.uint8)
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    weights = cupy.asarray(order["weights"], cupy.float32).reshape(5, 5, 1) / order["divisor"]
    line = cupy.asarray([1, 2, 3, 2, 1], cupy.float32)
    triangle = line[:, None] * line[None, :] / 81

    def once(call):
        flush.fill(0)
        start.record()
        result = call()
        stop.record()
        stop.synchronize()
        return cupy.cuda.get_elapsed_time(start, stop), result

    def clock(call):
        return median_of_runs(lambda: once(call))

    def grayscale():
        "elementwise"
        red, green, blue = (rgb[..., channel].astype(cupy.uint16) for channel in range(3))
        return ((30 * red + 59 * green + 11 * blue + 50) // 100).astype(cupy.uint8)

    def histogram():
        "bincount"
        return cupy.bincount(gray.ravel(), minlength=256)

    def gray_histogram():
        "elementwise + bincount"
        result = grayscale()
        cupy.bincount(result.ravel(), minlength=256)
        return result

    def contrast_stretch():
        "bincount + take"
        bins = cupy.bincount(gray.ravel(), minlength=256)
        levels = cupy.arange(256)
        matter = levels[bins >= -(-gray.size // 1024)]
        low, high = matter.min(), matter.max()
        above = cupy.clip(levels, low, high) - low
        spread = (255 * above + (high - low) // 2) // cupy.maximum(high - low, 1)
        return cupy.where(low == high, levels, spread).astype(cupy.uint8)[gray]

    def equalize():
        "bincount + cumsum + take"
        cdf = cupy.cumsum(cupy.bincount(gray.ravel(), minlength=256))
        lowest = cdf[cdf > 0].min()
        others = gray.size - lowest
        table = (255 * cupy.maximum(cdf - lowest, 0) + others // 2) // cupy.maximum(others, 1)
        return cupy.where(others == 0, cupy.arange(256), table).astype(cupy.uint8)[gray]

    def smooth_box():
        "ndimage.uniform_filter"
        return ndimage.uniform_filter(gray, 5, mode="nearest")

    def smooth_triangular():
        "ndimage.correlate"
        return ndimage.correlate(gray, triangle, mode="nearest")

    def filter_rgb():
        "ndimage.correlate"
        return ndimage.correlate(rgb, weights, output=cupy.float32, mode="nearest").clip(0, 255).astype(cupy.uint8)

    calls = (grayscale, histogram, gray_histogram, contrast_stretch, equalize, smooth_box, smooth_triangular, filter_rgb)
    by_name = {call.__name__: call for call in calls}
    made = rows(order, "CuPy", by_name, clock, lambda result: plain(cupy.asnumpy(result)))
    return cupy.__version__, made


def plain(result):
    """Counters as 32 bits, as the labs have them."""
    return result if result.dtype == "uint8" else result.astype("uint32")


def opencv_rows(order):
    import cv2

    rgb, gray = order["rgb"], order["gray"]
    weights = [[value / order["divisor"] for value in order["weights"][5 * row : 5 * row + 5]] for row in range(5)]

    def clock(call):
        result = call()
        times, begun = [], time.perf_counter()
        while len(times) < 3 or (len(times) < RUNS and time.perf_counter() - begun < CPU_SECONDS):
            start = time.perf_counter()
            result = call()
            times.append(1e3 * (time.perf_counter() - start))
        return statistics.median(times), len(times), result

    def grayscale():
        "cvtColor"
        return cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)

    def histogram():
        "calcHist"
        return cv2.calcHist([gray], [0], None, [256], [0, 256]).ravel()

    def equalize():
        "equalizeHist"
        return cv2.equalizeHist(gray)

    def smooth_box():
        "blur"
        return cv2.blur(gray, (5, 5))

    def smooth_triangular():
        "sepFilter2D"
        line = [value / 9 for value in (1, 2, 3, 2, 1)]
        return cv2.sepFilter2D(gray, -1, as_array(line), as_array(line))

    def filter_rgb():
        "filter2D"
        return cv2.filter2D(rgb, -1, as_array(weights))

    calls = (grayscale, histogram, equalize, smooth_box, smooth_triangular, filter_rgb)
    by_name = {call.__name__: call for call in calls}
    threads = cv2.getNumThreads()
    made = rows(order, f"OpenCV, {threads} threads,", by_name, clock, plain)
    if gray.size < ONE_THREAD_PIXELS:
        cv2.setNumThreads(1)
        made += rows(order, "OpenCV, 1 thread,", by_name, clock, plain)
        cv2.setNumThreads(threads)
    return cv2.__version__, made


def as_array(values):
    import numpy

    return numpy.asarray(values, numpy.float32)


def opencv_cuda_rows(order):
    import cv2

    if not hasattr(cv2, "cuda") or cv2.cuda.getCudaEnabledDeviceCount() == 0:
        raise LookupError(f"OpenCV {cv2.__version__} of this Python is built without CUDA")
    rgb, gray = cv2.cuda_GpuMat(), cv2.cuda_GpuMat()
    rgb.upload(order["rgb"])
    gray.upload(order["gray"])
    flush = cv2.cuda_GpuMat(FLUSH_BYTES >> 14, 1 << 14, cv2.CV_8UC1)
    stream = cv2.cuda.Stream()
    start, stop = cv2.cuda.Event(), cv2.cuda.Event()
    boxes = cv2.cuda.createBoxFilter(cv2.CV_8UC1, -1, (5, 5))

    def once(call):
        flush.setTo(0, stream)
        start.record(stream)
        result = call()
        stop.record(stream)
        stop.waitForCompletion()
        return cv2.cuda.Event.elapsedTime(start, stop), result

    def clock(call):
        return median_of_runs(lambda: once(call))

    def grayscale():
        "cuda.cvtColor"
        return cv2.cuda.cvtColor(rgb, cv2.COLOR_RGB2GRAY, stream=stream)

    def histogram():
        "cuda.calcHist"
        return cv2.cuda.calcHist(gray, stream=stream)

    def equalize():
        "cuda.equalizeHist"
        return cv2.cuda.equalizeHist(gray, stream=stream)

    def smooth_box():
        "cuda.createBoxFilter"
        return boxes.apply(gray, stream=stream)

    by_name = {call.__name__: call for call in (grayscale, histogram, equalize, smooth_box)}
    return cv2.__version__, rows(order, "OpenCV", by_name, clock, lambda result: plain(result.download().ravel()))


main()
