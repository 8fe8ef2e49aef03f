// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import io.dedup.kafka.topic.TopicRules;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * What the configuration says of topics, under {@code dedup.kafka.topics}: by name, or by pattern,
 * in which each {@code *} stands for any number of characters. Names may be written as they are
 * ({@code dedup.kafka.topics.orders.v1.ttl}) or in brackets. A name comes before every pattern, a
 * pattern with more characters before one with fewer; what the rule leaves unsaid is said by {@code
 * dedup.kafka.defaults}. Thread-safe.
 */
public final class DedupTopics {

  static final String PREFIX = "dedup.kafka.topics";
  static final String DEFAULTS = "dedup.kafka.defaults";

  private final Map<String, TopicSettings> settings;
  private final TopicRules<TopicSettings> rules;
  private final TopicSettings defaults;

  private DedupTopics(Map<String, TopicSettings> settings, TopicSettings defaults) {
    this.settings = Collections.unmodifiableMap(settings);
    this.defaults = defaults;
    try {
      this.rules = TopicRules.of(settings);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationRefused(
          PREFIX + ": " + e.getMessage(), "Correct the name of the topic or pattern.", e);
    }
  }

  /**
   * Reads the topics.
   *
   * @throws ConfigurationRefused if a setting is not known, or cannot be
   */
  static DedupTopics read(
      ConfigurableEnvironment environment, TopicProperties defaults, TopicReading reading) {
    Map<String, TopicSettings> settings = new LinkedHashMap<>();
    written(environment)
        .forEach(
            (rule, values) -> {
              TopicProperties said = TopicProperties.over(bound(rule, values), defaults);
              settings.put(rule, reading.read(PREFIX + "." + rule, rule, said));
            });
    return new DedupTopics(settings, reading.read(DEFAULTS, "defaults", defaults));
  }

  /** Returns the values by topic and setting; the first that is written wins. */
  private static Map<String, Map<String, Object>> written(ConfigurableEnvironment environment) {
    Map<String, Map<String, Object>> values = new LinkedHashMap<>();
    for (WrittenProperties.Written property : WrittenProperties.under(PREFIX, environment)) {
      TopicNames.Setting setting = TopicNames.parse(property.name());
      values
          .computeIfAbsent(setting.rule(), rule -> new LinkedHashMap<>())
          .putIfAbsent("topic." + setting.setting(), property.value());
    }
    return values;
  }

  private static TopicProperties bound(String rule, Map<String, Object> values) {
    try {
      return new Binder(new MapConfigurationPropertySource(values))
          .bindOrCreate("topic", Bindable.of(TopicProperties.class));
    } catch (BindException e) {
      String setting = e.getName().toString().substring("topic".length());
      ConfigurationProperty property = e.getProperty();
      throw ConfigurationRefused.property(
          PREFIX
              + "."
              + rule
              + setting
              + ": was '"
              + (property == null ? "" : property.getValue())
              + "', must be "
              + wanted(e),
          "",
          e);
    }
  }

  private static String wanted(BindException e) {
    Class<?> type = e.getTarget().getType().resolve(Object.class);
    Object[] constants = type.getEnumConstants();
    if (constants == null) {
      return "a " + type.getSimpleName();
    }
    StringBuilder names = new StringBuilder("one of");
    for (Object constant : constants) {
      names.append(' ').append(constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
    return names.toString();
  }

  /** Returns the settings by topic or pattern, in the order in which they are written. */
  public Map<String, TopicSettings> all() {
    return settings;
  }

  /** Returns what holds for topics that no rule is for. */
  public TopicSettings defaults() {
    return defaults;
  }

  /**
   * Returns the settings of the rule for {@code topic}, empty if no rule is for it.
   *
   * @throws ConfigurationRefused if two patterns of the same length claim it
   */
  public Optional<TopicSettings> find(String topic) {
    try {
      return rules.find(topic);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationRefused(
          PREFIX + ": " + e.getMessage(),
          "Add " + PREFIX + "." + topic + ", or make one of the patterns longer.",
          e);
    }
  }

  /**
   * Returns the settings of the rule for {@code topic}, or the defaults.
   *
   * @throws ConfigurationRefused if two patterns of the same length claim it
   */
  public TopicSettings get(String topic) {
    return find(topic).orElse(defaults);
  }

  /**
   * Checks that each rule is for at least one of {@code topics}, and that no two claim the same.
   *
   * @throws ConfigurationRefused if one is for none: a typing error
   */
  public void checkUsed(Collection<String> topics) {
    topics.forEach(this::find);
    try {
      rules.checkUsed(topics);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationRefused(
          PREFIX + ": " + e.getMessage(), "Correct or remove the rule.", e);
    }
  }

  /** Whether any rule, or the defaults, wants transactions. */
  boolean anyTransactional() {
    return defaults.mode().isTransactional()
        || settings.values().stream().anyMatch(s -> s.mode().isTransactional());
  }

  /** Whether any rule, or the defaults, wants Redis in front. */
  boolean anyTiered() {
    return defaults.mode() == Mode.TIERED
        || settings.values().stream().anyMatch(s -> s.mode() == Mode.TIERED);
  }

  /** Returns a rule that wants {@code mode}, for messages. */
  @Nullable String anyRuleOf(Mode mode) {
    if (defaults.mode() == mode) {
      return DEFAULTS;
    }
    return settings.values().stream()
        .filter(s -> s.mode() == mode)
        .map(s -> PREFIX + "." + s.rule())
        .findFirst()
        .orElse(null);
  }
}
