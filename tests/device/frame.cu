// The contact code of frame.h on a device gives the same bits as on the host, in both number types, because
// no operations are fused. tools/check-device compiles this for float and double, and runs it if there is a
// device.

#include "support/frame_answer.h"

#include <cstdio>
#include <cstring>

enum { SAMPLES = 240, NO_DEVICE = 77 };

static __global__ void answer_all(const frame_sample *sample, double *answer)
{
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < SAMPLES)
        frame_answer(&sample[n], answer + FRAME_ANSWERS * n);
}

int main()
{
    static frame_sample sample[SAMPLES];
    static double there[SAMPLES * FRAME_ANSWERS], here[SAMPLES * FRAME_ANSWERS];
    frame_sample *samples = nullptr;
    double *answers = nullptr;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return NO_DEVICE;
    for (unsigned n = 0; n < SAMPLES; ++n) {
        frame_sample_make(n, n % 2, &sample[n]);
        frame_answer(&sample[n], here + FRAME_ANSWERS * n);
    }
    if (cudaMalloc(&samples, sizeof sample) != cudaSuccess ||
        cudaMalloc(&answers, sizeof there) != cudaSuccess ||
        cudaMemcpy(samples, sample, sizeof sample, cudaMemcpyHostToDevice) != cudaSuccess)
        return 2;
    answer_all<<<(SAMPLES + 63) / 64, 64>>>(samples, answers);
    if (cudaMemcpy(there, answers, sizeof there, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    for (int k = 0; k < SAMPLES * FRAME_ANSWERS; ++k)
        if (std::memcmp(&there[k], &here[k], sizeof here[k]) != 0) {
            std::printf("number %d of sample %d is %.17g on the device and %.17g on the host\n",
                        k % FRAME_ANSWERS, k / FRAME_ANSWERS, there[k], here[k]);
            return 1;
        }
    return 0;
}
