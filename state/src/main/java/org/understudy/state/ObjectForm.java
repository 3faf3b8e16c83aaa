package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.List;
import java.util.function.Supplier;

/** The form of an object of the application: its fields in order. */
final class ObjectForm extends Serializer<Object> {
  private final List<CapturedField> fields;
  private final Supplier<Object> instances;

  /** @param instances creates an object whose fields are then set */
  ObjectForm(List<CapturedField> fields, Supplier<Object> instances) {
    this.fields = fields;
    this.instances = instances;
  }

  @Override
  public void write(Kryo kryo, Output output, Object object) {
    References references = Graph.references(kryo);
    references.open(object);
    for (CapturedField field : fields) {
      field.write(kryo, output, object);
    }
    references.close();
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
    Object made = instances.get();
    kryo.reference(made);
    References references = Graph.references(kryo);
    int before = references.toOpen();
    references.open(made);
    for (CapturedField field : fields) {
      field.set(made, field.read(kryo, input));
    }
    references.close();
    references.read(made, before);
    return made;
  }
}
