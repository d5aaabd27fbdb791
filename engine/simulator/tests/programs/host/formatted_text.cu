// about: snprintf and sprintf on the host.
// output out: i32[3] = i == 0 ? 43 : i == 1 ? 1 : 8
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out, int length, int same, int cut) { out[0] = length, out[1] = same, out[2] = cut; }

void run(int* out) {
    char text[64], four[5];
    const int length = snprintf(text, sizeof(text), "%5d|%-4u|%s|%.3f|%#x|%c|%zu|%08.2f|%g", -3, 7u, "ab", 1.5, 255,
                                'x', sizeof(text), 3.14159, 0.25f);
    const bool same = strcmp(text, "   -3|7   |ab|1.500|0xff|x|64|00003.14|0.25") == 0;
    const int cut = snprintf(four, sizeof(four), "%s", "abcdefgh");
    kernel<<<1, 1>>>(out, length, same && strcmp(four, "abcd") == 0, cut);
}
