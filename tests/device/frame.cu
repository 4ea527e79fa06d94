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
    static double on_device[SAMPLES * FRAME_ANSWERS], on_host[SAMPLES * FRAME_ANSWERS];
    frame_sample *samples = nullptr;
    double *answers = nullptr;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return NO_DEVICE;
    for (unsigned n = 0; n < SAMPLES; ++n) {
        frame_sample_make(n, n % 2, &sample[n]);
        frame_answer(&sample[n], on_host + FRAME_ANSWERS * n);
    }
    if (cudaMalloc(&samples, sizeof sample) != cudaSuccess ||
        cudaMalloc(&answers, sizeof on_device) != cudaSuccess ||
        cudaMemcpy(samples, sample, sizeof sample, cudaMemcpyHostToDevice) != cudaSuccess)
        return 2;
    answer_all<<<(SAMPLES + 63) / 64, 64>>>(samples, answers);
    if (cudaMemcpy(on_device, answers, sizeof on_device, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    for (int k = 0; k < SAMPLES * FRAME_ANSWERS; ++k)
        if (std::memcmp(&on_device[k], &on_host[k], sizeof on_host[k]) != 0) {
            std::printf("number %d of sample %d is %.17g on the device and %.17g on the host\n",
                        k % FRAME_ANSWERS, k / FRAME_ANSWERS, on_device[k], on_host[k]);
            return 1;
        }
    return 0;
}
