// SPDX-License-Identifier: Apache-2.0
/** Guards the listeners of spring-kafka. It must not know of Boot, or which store there is. */
@NullMarked
package io.dedup.kafka.spring;

import org.jspecify.annotations.NullMarked;
