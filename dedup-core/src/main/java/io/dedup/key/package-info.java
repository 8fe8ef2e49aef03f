// SPDX-License-Identifier: Apache-2.0
/**
 * What counts as the same message: keys, how they are taken from a message, and fingerprints of
 * what a key stands for. This room knows nothing of claims, stores or transports.
 */
@NullMarked
package io.dedup.key;

import org.jspecify.annotations.NullMarked;
