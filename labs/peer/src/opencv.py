"""OpenCV beside the references: reads commands, times them, prints seconds.

    image PATH WIDTH HEIGHT CHANNELS     the picture, raw bytes
    time OPERATION THREADS REPETITIONS [PARAMETERS...]
"""

import sys
import time

import cv2
import numpy as np


def stretch_table(counts):
    """The table of lab 3, in numpy: 256 numbers, nothing beside the image."""
    matter = np.nonzero(counts.ravel() >= -(-int(counts.sum()) // 1024))[0]
    low, high = int(matter[0]), int(matter[-1])
    if low == high:
        return np.arange(256, dtype=np.uint8)
    above = np.clip(np.arange(256), low, high) - low
    return ((255 * above + (high - low) // 2) // (high - low)).astype(np.uint8)


def count(gray):
    return cv2.calcHist([gray], [0], None, [256], [0, 256])


class Peer:
    """One picture, its buffers, and what OpenCV can do with it."""

    def __init__(self, path, width, height, channels):
        shape = (height, width) if channels == 1 else (height, width, channels)
        self.image = np.fromfile(path, np.uint8).reshape(shape)
        # Ones, not zeros: the pages exist before the clock starts.
        self.gray, self.between = np.ones((height, width), np.uint8), np.ones((height, width), np.uint8)
        self.out = np.ones(shape, np.uint8)

    def cvtcolor(self):
        cv2.cvtColor(self.image, cv2.COLOR_RGB2GRAY, dst=self.gray)

    def calchist(self):
        count(self.image)

    def cvtcolor_calchist(self):
        self.cvtcolor()
        count(self.gray)

    def stretch(self):
        cv2.LUT(self.image, stretch_table(count(self.image)), dst=self.out)

    def equalizehist(self):
        cv2.equalizeHist(self.image, dst=self.out)

    def blur(self):
        cv2.blur(self.image, (5, 5), dst=self.out)

    def triangle(self):
        line = np.array([1, 2, 3, 2, 1], np.float32) / 9
        cv2.sepFilter2D(self.image, -1, line, line, dst=self.out)

    def gaussian(self):
        cv2.GaussianBlur(self.image, (5, 5), 0, dst=self.out)

    def filter2d(self, divisor, *values):
        kernel = np.array(values, np.float32).reshape(5, 5) / divisor
        cv2.filter2D(self.image, -1, kernel, dst=self.out)

    def sobel(self):
        horizontal, vertical = cv2.spatialGradient(self.image, ksize=3, borderType=cv2.BORDER_REPLICATE)
        cv2.add(cv2.convertScaleAbs(horizontal), cv2.convertScaleAbs(vertical), dst=self.out)

    def pipeline(self):
        self.cvtcolor()
        cv2.LUT(self.gray, stretch_table(count(self.gray)), dst=self.between)
        cv2.blur(self.between, (5, 5), dst=self.gray)


def main():
    every = cv2.getNumThreads()
    print("opencv", cv2.__version__, every, flush=True)
    peer = None
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split("\t")
        if command == "image":
            peer = Peer(words[0], *map(int, words[1:]))
            print("ready", flush=True)
            continue
        operation, (threads, repetitions, *parameters) = getattr(peer, words[0]), map(int, words[1:])
        cv2.setNumThreads(threads or every)
        start = time.perf_counter()
        for _ in range(repetitions):
            operation(*parameters)
        print(time.perf_counter() - start, flush=True)


main()
