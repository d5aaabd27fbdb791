// The runtime is force-included before the file; this header only has to exist.
#pragma once
