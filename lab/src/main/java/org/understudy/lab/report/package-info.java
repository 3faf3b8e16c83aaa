/** What every measurement of the lab needs for its report: durations, progress, and a self-contained page with plots. */
package org.understudy.lab.report;
