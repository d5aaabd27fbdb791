// Headers that files include out of habit, and whose names are not available here: using one is the compiler's own error.
#pragma once
