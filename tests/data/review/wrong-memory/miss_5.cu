// What a kernel may get is decided when the program runs.
#include <cstdlib>
__global__ void __launch_bounds__(64) k(float *q) { q[threadIdx.x] = 2; }
int main(int argc, char **argv)
{
    float *d, *e;
    cudaMalloc(&d, 64 * sizeof(float));
    cudaMalloc(&e, 64 * sizeof(float));
    if (getenv("FREE")) cudaFree(d);
    k<<<1, 64>>>(getenv("FREE") ? e : d);
    cudaDeviceSynchronize();
}
