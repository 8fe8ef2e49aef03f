// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Lets Jackson 3 write the trees of Jackson 2, which it would take for beans. Jackson 2 need not be
 * there: the class is known by its name, and writes itself as JSON.
 */
final class JacksonTwoNodes extends SimpleModule {

  private static final long serialVersionUID = 1;
  private static final String NODE = "com.fasterxml.jackson.databind.JsonNode";

  JacksonTwoNodes() {
    super("dedup-jackson-2-nodes");
    setSerializerModifier(new Modifier());
  }

  private static boolean isNode(Class<?> type) {
    for (@Nullable Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(NODE)) {
        return true;
      }
    }
    return false;
  }

  private static final class Modifier extends ValueSerializerModifier {

    private static final long serialVersionUID = 1;

    @Override
    public ValueSerializer<?> modifySerializer(
        SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
      return isNode(bean.getBeanClass()) ? new NodeSerializer() : serializer;
    }
  }

  private static final class NodeSerializer extends ValueSerializer<Object> {

    /** JsonNode.toString() is documented to be valid JSON since Jackson 2.10. */
    @Override
    public void serialize(Object node, JsonGenerator out, SerializationContext context) {
      out.writeRawValue(node.toString());
    }
  }
}
