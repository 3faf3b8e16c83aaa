import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import javax.management.MBeanException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Calls a JMX operation of a replica in another process of the same user; see scripts/recover and scripts/transactions. */
public final class Operate {
  /** The script's name, the MBean's type, the processes, the group or an empty text, the operation, and its arguments. */
  public static void main(String[] words) throws Exception {
    boolean failed = false;
    for (String process : words[2].split(",")) {
      failed |= !isDone(process, words);
    }
    System.exit(failed ? 1 : 0);
  }

  private static boolean isDone(String process, String[] words) throws Exception {
    String script = words[0];
    Object[] arguments = Arrays.copyOfRange(words, 5, words.length, Object[].class);
    String[] types = Arrays.stream(arguments).map(one -> String.class.getName()).toArray(String[]::new);
    try (JMXConnector connector = connect(process)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName replica = replica(server, script, words[1], process, words[3]);
      if (replica == null) {
        return false;
      }
      System.out.println(replica);
      System.out.println(server.invoke(replica, words[4], arguments, types));
      return true;
    } catch (RuntimeMBeanException | MBeanException e) {
      System.err.println(script + ": not done: " + e.getCause().getMessage());
    } catch (AttachNotSupportedException | IOException e) {
      System.err.println(
          script + ": process " + process + " cannot be reached: " + e.getMessage() + ". Run this as the user who runs the server.");
    }
    return false;
  }

  private static JMXConnector connect(String process) throws AttachNotSupportedException, IOException {
    VirtualMachine machine = VirtualMachine.attach(process);
    String url = machine.startLocalManagementAgent();
    machine.detach();
    return JMXConnectorFactory.connect(new JMXServiceURL(url));
  }

  /** Returns null after a message when there is none, or there are several. */
  private static ObjectName replica(MBeanServerConnection server, String script, String type, String process, String group)
      throws Exception {
    String named = group.isEmpty() ? "*" : "group=" + ObjectName.quote(group) + ",*";
    Set<ObjectName> names = server.queryNames(new ObjectName("org.understudy:type=" + type + "," + named), null);
    if (names.size() != 1) {
      System.err.println(
          names.isEmpty()
              ? script + ": process " + process + " runs no replica" + (group.isEmpty() ? "." : " of the group " + group + ".")
              : script + ": process " + process + " runs replicas of several groups. Add --group NAME:");
      names.forEach(name -> System.err.println("  --group '" + ObjectName.unquote(name.getKeyProperty("group")) + "'"));
      return null;
    }
    return names.iterator().next();
  }
}
