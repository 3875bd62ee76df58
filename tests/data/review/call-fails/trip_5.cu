// Elements in place of bytes of the smaller array: 512 rows of 16 bytes are set, the array has 256.
__global__ void __launch_bounds__(64) k(int4 *q) { q[threadIdx.x].x += 1; }
int main()
{
    int4 *d;
    cudaMalloc(&d, 256 * sizeof(int4));
    cudaMemset(d, 0, 256 * sizeof(int4));
    cudaMemset(d, 1, 512 * sizeof(int4));  // finds
    k<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
