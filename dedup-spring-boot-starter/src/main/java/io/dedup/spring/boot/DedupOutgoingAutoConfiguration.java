// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.http.OutgoingKeyFilter;
import io.dedup.http.OutgoingKeyInterceptor;
import io.dedup.http.OutgoingKeys;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Lets clients that Boot builds send derived keys to the hosts that are named, with requests that
 * are marked as an {@link io.dedup.http.OutgoingCall}.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(
    name = {"dedup.enabled", "dedup.http.enabled"},
    matchIfMissing = true)
@Conditional(DedupOutgoingAutoConfiguration.HostsNamed.class)
public final class DedupOutgoingAutoConfiguration {

  /** Made by Boot. */
  DedupOutgoingAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  OutgoingKeys dedupOutgoingKeys(DedupProperties properties) {
    return HttpSettings.outgoing(properties.http().outgoing());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({RestClient.class, RestClientCustomizer.class})
  static class Blocking {
    @Bean
    RestClientCustomizer dedupRestClientCustomizer(OutgoingKeys keys) {
      return builder -> builder.requestInterceptor(new OutgoingKeyInterceptor(keys));
    }

    @Bean
    RestTemplateCustomizer dedupRestTemplateCustomizer(OutgoingKeys keys) {
      return template -> template.getInterceptors().add(new OutgoingKeyInterceptor(keys));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({WebClient.class, WebClientCustomizer.class})
  static class Reactive {
    @Bean
    WebClientCustomizer dedupWebClientCustomizer(OutgoingKeys keys) {
      return builder -> builder.filter(new OutgoingKeyFilter(keys));
    }
  }

  /** A list, so that asking for the property by its name would not find it. */
  static final class HostsNamed extends SpringBootCondition {
    private static final String HOSTS = "dedup.http.outgoing.hosts";

    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      boolean named =
          Binder.get(context.getEnvironment())
              .bind(HOSTS, Bindable.setOf(String.class))
              .map(hosts -> !hosts.isEmpty())
              .orElse(false);
      ConditionMessage.Builder message = ConditionMessage.forCondition(HOSTS);
      return named
          ? ConditionOutcome.match(message.because("hosts are named"))
          : ConditionOutcome.noMatch(message.because("no host is named"));
    }
  }
}
