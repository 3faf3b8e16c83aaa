package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** The form of a record: its components in order. Restores it by its canonical constructor. It cannot be part of a cycle. */
final class RecordForm extends Serializer<Object> {
  private final List<CapturedField> components;
  /** From Object[] to Object. */
  private final MethodHandle constructor;

  RecordForm(List<CapturedField> components, MethodHandle constructor) {
    this.components = components;
    this.constructor = constructor;
  }

  @Override
  public void write(Kryo kryo, Output output, Object object) {
    References references = Graph.references(kryo);
    references.beginImmutable(object);
    for (CapturedField component : components) {
      component.write(kryo, output, object);
    }
    references.endImmutable();
  }

  @Override
  public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
    References references = Graph.references(kryo);
    int before = references.toOpen();
    Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).read(kryo, input);
    }
    try {
      Object made = (Object) constructor.invokeExact(values);
      references.read(made, before);
      return made;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new StateException("the constructor of the record " + type.getName() + " throws " + e + ".");
    }
  }
}
