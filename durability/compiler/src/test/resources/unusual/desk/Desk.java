package desk;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.ResourceHome;

@WebService
@Tags(value = {@Tags.Tag("a"), @Tags.Tag("b")}, mark = '\'', numbers = {})
@Hidden.Mark
public class Desk extends Hidden implements Contract {
  private final Cases home;
  private final ResourceHome<Desk> own;

  public Desk(Cases home, ResourceHome<Desk> own, Cases homeObject) {
    this.home = home;
    this.own = own;
  }

  /** Changes the state by an update of its own. */
  public void later(String name) {
    own.update(null, desk -> desk.home.addAll(List.of(name)));
  }

  /** Whether an object that returns itself remains protected. */
  public boolean chain(String name) {
    return home.with(name).with(name) == home;
  }

  /** Is no operation, because it is final. */
  public final int number() {
    return 1;
  }

  @WebMethod(exclude = true)
  public List raw(Map map) {
    return List.of();
  }

  @Deprecated(forRemoval = true)
  @WebMethod(exclude = true)
  public void old(Outdated value) {}
}
