/** What survives a restart of the web application, without Java serialisation. */
package org.understudy.wsat.store;
