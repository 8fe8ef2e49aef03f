// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Guards the listeners of an application context that has a {@link ListenerGuards} bean. The Boot
 * starter does it by itself.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(IdempotentListenersConfiguration.class)
public @interface EnableIdempotentListeners {}
