/*
The second launch reads what the first one writes.

[lanescope]
[[launch]]
kernel = "fill"
block = 32
stream = 1
args = ["q"]

[[launch]]  # // finds
kernel = "use"
block = 32
stream = 2
args = ["q", "r"]

[buffers]
q = "f32 i:64 = zeros"
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
