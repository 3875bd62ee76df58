/*
Another kernel of the file has them.

[lanescope]
kernel = "a"
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) a(const float *p, float *q)
{
    q[threadIdx.x] = p[threadIdx.x];
}

__global__ void b(const float *p, float *q)  // finds
{
    q[threadIdx.x] = p[threadIdx.x];
}
