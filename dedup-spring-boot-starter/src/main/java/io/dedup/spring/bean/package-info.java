// SPDX-License-Identifier: Apache-2.0
/**
 * Lets methods of any bean have their effects once. Must not know how the application is
 * configured, nor which stores there are.
 */
@NullMarked
package io.dedup.spring.bean;

import org.jspecify.annotations.NullMarked;
