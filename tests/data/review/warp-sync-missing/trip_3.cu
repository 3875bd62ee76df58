/*
Lanes of one store write different values to one word.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    __shared__ float s[4];
    s[threadIdx.x / 8] = p[threadIdx.x];  // finds
    __syncthreads();
    q[threadIdx.x] = s[threadIdx.x / 8];
}
