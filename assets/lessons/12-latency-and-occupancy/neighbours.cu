/*
Each element plus its right neighbour, through shared memory.

[lanescope]
grid = 4
block = 256

[buffers]
p = "f32 i:1025 = 1.5"
q = { type = "f32", axes = "i:1024", init = "zeros", expect = 3 }
*/
__global__ void __launch_bounds__(256) neighbours(const float *p, float *q)
{
    __shared__ float field[12288];
    uint t = threadIdx.x;

    field[t] = p[256 * blockIdx.x + t];
    if (t == 255) field[256] = p[256 * blockIdx.x + 256];
    __syncthreads();

    q[256 * blockIdx.x + t] = field[t] + field[t + 1];
}
