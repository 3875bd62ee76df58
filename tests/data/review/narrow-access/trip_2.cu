/*
Two floats of each thread.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    const float *r = p + 2 * threadIdx.x;
    q[threadIdx.x] = r[0] * r[1];  // finds
}
