/** The clocks by which a replica decides when something ends. */
package org.understudy.replication.runtime.time;
