// SPDX-License-Identifier: Apache-2.0
/** Sets the parts up from properties and beans. Whatever works without Boot belongs elsewhere. */
@NullMarked
package io.dedup.spring.boot;

import org.jspecify.annotations.NullMarked;
