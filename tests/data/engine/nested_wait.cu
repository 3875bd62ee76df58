// A kernel that waits for the grids that it has launched, as before CUDA 12.
// [lanescope]
// kernel = "parent"
__global__ void child(int *p) { p[threadIdx.x] += 1; }
__global__ void parent(int *p)
{
    child<<<1, 32>>>(p);
    cudaDeviceSynchronize();
}
