// expect: mismatch grayscale
// tasks: grayscale
// cause: never_written
// fault: a right kernel that nobody launches.
#include "workbook.cuh"

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {}
