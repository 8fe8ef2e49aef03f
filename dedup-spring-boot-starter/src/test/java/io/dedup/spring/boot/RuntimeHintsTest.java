// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

class RuntimeHintsTest {

  private final RuntimeHints hints = new RuntimeHints();

  RuntimeHintsTest() {
    new DedupRuntimeHints().registerHints(hints, null);
  }

  @Test
  void everyScriptAndEverySchemaIsInANativeImage() throws IOException {
    List<String> resources = found("io/dedup/redis/", "*.lua");
    resources.addAll(found("io/dedup/jdbc/", "*/*.sql"));

    assertThat(resources).hasSizeGreaterThan(10);
    assertThat(resources)
        .allSatisfy(
            resource ->
                assertThat(RuntimeHintsPredicates.resource().forResource(resource)).accepts(hints));
  }

  @Test
  void theTopicsConfigurationCanBeReadInANativeImage() {
    assertThat(RuntimeHintsPredicates.reflection().onType(TopicProperties.class)).accepts(hints);
  }

  @Test
  void anApplicationCanBeProcessedAheadOfTime() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    TestPropertyValues.of("dedup.store=memory", "dedup.kafka.topics.orders.ttl=7d")
        .applyTo(context);
    context.register(Application.class);
    DefaultGenerationContext generated =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(Application.class)), new InMemoryGeneratedFiles());

    new ApplicationContextAotGenerator().processAheadOfTime(context, generated);

    assertThat(RuntimeHintsPredicates.resource().forResource("io/dedup/redis/claim.lua"))
        .accepts(generated.getRuntimeHints());
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(DedupAutoConfiguration.class)
  static class Application {}

  private static List<String> found(String folder, String pattern) throws IOException {
    Resource[] all =
        new PathMatchingResourcePatternResolver().getResources("classpath*:" + folder + pattern);
    return new ArrayList<>(Arrays.stream(all).map(resource -> path(resource, folder)).toList());
  }

  private static String path(Resource resource, String folder) {
    try {
      String url = resource.getURL().toString();
      return url.substring(url.indexOf(folder));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
