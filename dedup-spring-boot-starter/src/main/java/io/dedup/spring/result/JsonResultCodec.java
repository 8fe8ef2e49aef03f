// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.result;

import io.dedup.ResultCodec;
import io.dedup.claim.StoredResult;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Keeps answers as JSON, each with the name of its type. Thread-safe.
 *
 * <p>A stored name is compared with the names of the types that are allowed, and is never used to
 * load a class; for the same reason the mapper's own default typing is switched off, and what an
 * annotation lets it read by class name must be an allowed type, too. What is kept is read back
 * first: an answer that can be written and not read as it was would be found out by the first
 * duplicate otherwise.
 *
 * @param <T> what is answered
 */
public final class JsonResultCodec<T> implements ResultCodec<T> {

  static final String CONTENT_TYPE = "application/json;type=";

  private final JsonMapper mapper;
  private final ResultTypes types;
  private final Map<String, ObjectReader> readers = new LinkedHashMap<>();

  private JsonResultCodec(JsonMapper mapper, ResultTypes types) {
    this.mapper = mapper;
    this.types = types;
    types.byName().forEach((name, type) -> readers.put(name, mapper.readerFor(type)));
  }

  /** Returns a builder of a codec for answers of a type as it is declared, generics included. */
  public static <T> Builder<T> builder(Type declared) {
    return new Builder<>(declared);
  }

  @Override
  public @Nullable StoredResult encode(@Nullable T value) {
    if (value == null) {
      return null;
    }
    String name = types.nameOf(value);
    JavaType type = Objects.requireNonNull(types.byName().get(name));
    byte[] json = mapper.writerFor(type).writeValueAsBytes(value);
    T again = read(name, json);
    boolean same =
        value.equals(again)
            || (!types.isOpen()
                && Arrays.equals(json, mapper.writerFor(type).writeValueAsBytes(again)));
    if (!same) {
      throw new IllegalArgumentException(
          "result: was a " + name + " that JSON gives back as another, must be the same");
    }
    return new StoredResult(CONTENT_TYPE + name, json);
  }

  @Override
  public @Nullable T decode(@Nullable StoredResult stored) {
    if (stored == null) {
      return null;
    }
    String contentType = stored.contentType();
    if (!contentType.startsWith(CONTENT_TYPE)) {
      throw new IllegalArgumentException(
          "contentType: was " + contentType + ", must begin with " + CONTENT_TYPE);
    }
    return read(contentType.substring(CONTENT_TYPE.length()), stored.bytes());
  }

  private T read(String name, byte[] json) {
    ObjectReader reader = readers.get(name);
    if (reader == null) {
      throw new IllegalArgumentException(
          "type of the result: was " + name + ", must be one of " + readers.keySet());
    }
    try {
      return reader.readValue(json);
    } catch (JacksonException e) {
      // Jackson quotes what it reads, and answers belong in no log.
      throw new IllegalArgumentException("result: was no JSON of a " + name);
    }
  }

  /** Collects the types that are allowed. */
  public static final class Builder<T> {
    private final Type declared;
    private final Map<String, Class<?>> allowed = new LinkedHashMap<>();
    private JsonMapper mapper = JsonMapper.shared();

    private Builder(Type declared) {
      this.declared = declared;
    }

    /** Sets whose modules and settings are used; by default Jackson's own. */
    public Builder<T> mapper(JsonMapper value) {
      this.mapper = value;
      return this;
    }

    /** Allows answers of a subtype, known by the name of the class. */
    public Builder<T> allow(Class<?> type) {
      return allow(type.getName(), type);
    }

    /**
     * Allows answers of a type that is known by another name: one that outlives a renaming, or the
     * one that a class had before.
     */
    public Builder<T> allow(String name, Class<?> type) {
      allowed.put(name, type);
      return this;
    }

    /**
     * Returns the codec.
     *
     * @throws IllegalArgumentException if the declared type can have answers of any type, and none
     *     is allowed
     */
    public JsonResultCodec<T> build() {
      ResultTypes types = ResultTypes.of(mapper.constructType(declared), allowed, mapper);
      BasicPolymorphicTypeValidator.Builder safe = BasicPolymorphicTypeValidator.builder();
      types.byName().values().forEach(type -> safe.allowIfSubType(type.getRawClass()));
      return new JsonResultCodec<>(
          mapper.rebuild().deactivateDefaultTyping().polymorphicTypeValidator(safe.build()).build(),
          types);
    }
  }
}
