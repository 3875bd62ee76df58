/*
A copy whose lanes are two elements apart.

[lanescope]
grid = 1
block = 128

[buffers]
p = "f32 i:256"
q = "f32 i:256 = zeros"
*/
__global__ void __launch_bounds__(1024) copy(const float *p, float *q)
{
    unsigned i = threadIdx.x;
    unsigned at = 2 * i;








    float x = p[at];
    q[at] = x;
}
