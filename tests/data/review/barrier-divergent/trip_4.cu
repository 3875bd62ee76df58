/*
Some leave a loop earlier than others and go on.

[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    __shared__ float s[64];
    float sum = 0.0f;
    int turns = 2 + (int)threadIdx.x / 32;
    #pragma unroll 1
    for (int i = 0; i < turns; ++i) {
        s[threadIdx.x] = p[threadIdx.x + 64 * i];
        __syncthreads();  // finds
        sum += s[threadIdx.x ^ 1];
    }
    q[threadIdx.x] = sum;
}
