/*
sincosf, in a function of its own.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__device__ float both(float x)
{
    float s, c;
    sincosf(x, &s, &c);
    return s + c;
}

__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    q[threadIdx.x] = both(p[threadIdx.x]);
}
