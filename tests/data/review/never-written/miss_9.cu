// The host copies structures back, with the bytes between their members.
#include <cuda_runtime.h>

struct Found {
    char is_there;
    int place;
};

__global__ void __launch_bounds__(64) find(const int *in, Found *out)
{
    out[threadIdx.x].is_there = in[threadIdx.x] > 0;
    out[threadIdx.x].place = threadIdx.x;
}

int main()
{
    int numbers[64] = {1, 2, 3};
    Found found[64];
    int *in;
    Found *out;
    cudaMalloc(&in, sizeof(numbers));
    cudaMalloc(&out, sizeof(found));
    cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    find<<<1, 64>>>(in, out);
    cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost);
}
