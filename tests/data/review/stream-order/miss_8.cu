/*
Two streams of a launch header, each with its half of the arrays.

[lanescope]
[[launch]]
kernel = "use"
block = 32
stream = 1
args = ["q", "r"]

[[launch]]
kernel = "use"
block = 32
stream = 2
args = ["q+32", "r+32"]

[buffers]
q = "f32 i:64"
r = "f32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) fill(float *q)
{
    q[threadIdx.x] = threadIdx.x;
}

__global__ void __launch_bounds__(32) use(const float *q, float *r)
{
    r[threadIdx.x] = 2 * q[threadIdx.x];
}
