/* Two blocks of a cluster read each other's shared memory.
[lanescope]
grid = 2
block = 64
cluster = 2
[buffers]
p = "f32 n:128"
q = "f32 n:128 = zeros"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(64) trade(const float *p, float *q)
{
    __shared__ float s[64];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned i = 64 * blockIdx.x + threadIdx.x;
    s[threadIdx.x] = p[i];
    cluster.sync();
    const float *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    q[i] = other[threadIdx.x];
    cluster.sync();
}
