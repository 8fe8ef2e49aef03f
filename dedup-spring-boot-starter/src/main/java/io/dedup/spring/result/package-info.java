// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps what methods answer in the form of their declared types. Must not know where results are
 * stored, nor who asks for them.
 */
@NullMarked
package io.dedup.spring.result;

import org.jspecify.annotations.NullMarked;
