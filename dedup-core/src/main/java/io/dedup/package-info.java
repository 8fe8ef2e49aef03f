// SPDX-License-Identifier: Apache-2.0
/**
 * The front door: runs a handler once for each key, by whatever store and policy it was built with.
 * It knows keys and claims; it knows no transport, no database and no framework, and reaches
 * transactions and codecs through small ports.
 */
@NullMarked
package io.dedup;

import org.jspecify.annotations.NullMarked;
