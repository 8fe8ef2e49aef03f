// SPDX-License-Identifier: Apache-2.0
/**
 * Rules on the code of all modules and the count of their tests. It sees every room; none may see
 * it.
 */
@NullMarked
package io.dedup.architecture;

import org.jspecify.annotations.NullMarked;
