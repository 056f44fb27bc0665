//! The rules of trees once more, as plainly as they can be written: lists in memory, everything looked up by going through
//! all of it.

use contexture_conversations::loom::{HiddenReason, StepRole};
use contexture_core::{EdgeType, SourceRole, TreeMode};

#[derive(Clone)]
pub struct Node {
    pub id: String,
    pub edited_from: Option<usize>,
    pub excluded: bool,
    pub pruned: Option<usize>,
}

#[derive(Clone)]
pub struct Edge {
    pub kind: EdgeType,
    pub sources: Vec<(usize, SourceRole)>,
    pub target: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    pub target: usize,
    pub edge: Option<usize>,
    pub source: Option<usize>,
}

#[derive(Clone)]
pub struct Path {
    pub name: String,
    pub active: Option<usize>,
    pub choices: Vec<Choice>,
}

#[derive(Clone)]
pub struct Tree {
    pub id: String,
    pub mode: TreeMode,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub paths: Vec<Path>,
    pub path: usize,
}

#[derive(PartialEq, Debug)]
pub struct Walk {
    pub steps: Vec<(usize, StepRole)>,
    pub instructions: Vec<usize>,
    pub hidden: Vec<(usize, HiddenReason)>,
}

impl Tree {
    pub fn new(id: String, mode: TreeMode) -> Self {
        let main = Path { name: "main".into(), active: None, choices: vec![] };
        Self { id, mode, nodes: vec![], edges: vec![], paths: vec![main], path: 0 }
    }

    pub fn push(&mut self, edited_from: Option<usize>) -> usize {
        self.nodes.push(Node { id: String::new(), edited_from, excluded: false, pruned: None });
        self.nodes.len() - 1
    }

    pub fn lineage(&self, mut node: usize) -> usize {
        while let Some(from) = self.nodes[node].edited_from {
            node = from;
        }
        node
    }

    pub fn incoming(&self, node: usize) -> Vec<usize> {
        (0..self.edges.len()).filter(|edge| self.edges[*edge].target == node).collect()
    }

    pub fn of(&self, edge: usize, role: SourceRole) -> Vec<usize> {
        self.edges[edge].sources.iter().filter(|source| source.1 == role).map(|source| source.0).collect()
    }

    pub fn is_remark(&self, node: usize) -> bool {
        let edges = self.incoming(node);
        let is_aside = |edge: &usize| {
            self.edges[*edge].kind == EdgeType::Annotation
                || self.of(*edge, SourceRole::Primary).iter().all(|node| self.is_remark(*node))
        };
        !edges.is_empty() && edges.iter().all(is_aside)
    }

    fn live(&self, edge: usize) -> bool {
        self.of(edge, SourceRole::Primary).iter().any(|node| self.nodes[*node].pruned.is_none())
    }

    pub fn put(&mut self, path: usize, choice: Choice) {
        let mut choices = std::mem::take(&mut self.paths[path].choices);
        self.put_into(&mut choices, choice);
        self.paths[path].choices = choices;
    }

    pub fn put_into(&self, choices: &mut Vec<Choice>, choice: Choice) {
        for old in choices.iter_mut().filter(|old| old.target == choice.target) {
            let neither = choice.edge.is_none() && choice.source.is_none();
            if choice.edge.is_some() || neither {
                old.edge = None;
            }
            let same =
                |a: Option<usize>| a.map(|node| self.lineage(node)) == choice.source.map(|node| self.lineage(node));
            if neither || (choice.source.is_some() && same(old.source)) {
                old.source = None;
            }
        }
        choices.push(choice);
        choices.retain(|choice| choice.edge.is_some() || choice.source.is_some());
    }

    /// The edge by which a path goes up: `Err` when there are several.
    pub fn up(&self, node: usize, choices: &[Choice], only_live: bool) -> Result<Option<usize>, Vec<usize>> {
        let mut edges = self.incoming(node);
        edges.retain(|edge| !only_live || self.live(*edge));
        if edges.iter().any(|edge| self.edges[*edge].kind == EdgeType::Continuation) {
            edges.retain(|edge| self.edges[*edge].kind == EdgeType::Continuation);
        }
        let live: Vec<usize> = edges.iter().copied().filter(|edge| self.live(*edge)).collect();
        if !live.is_empty() {
            edges = live;
        }
        for choice in choices.iter().rev().filter(|choice| choice.target == node) {
            let fits = |edge: &usize| match choice.edge {
                Some(chosen) => *edge == chosen,
                None => choice.source.is_some_and(|source| self.of(*edge, SourceRole::Primary).contains(&source)),
            };
            if edges.iter().any(fits) {
                edges.retain(fits);
            }
        }
        if edges.len() < 2 { Ok(edges.first().copied()) } else { Err(edges) }
    }

    fn primaries(&self, edge: usize, choices: &[Choice]) -> Vec<usize> {
        let all = self.of(edge, SourceRole::Primary);
        let mut done = vec![];
        let mut picked = vec![];
        for node in &all {
            let lineage = self.lineage(*node);
            if done.contains(&lineage) {
                continue;
            }
            done.push(lineage);
            let versions: Vec<usize> = all.iter().copied().filter(|other| self.lineage(*other) == lineage).collect();
            let chosen = choices.iter().filter(|choice| choice.target == self.edges[edge].target);
            let chosen = chosen.filter_map(|choice| choice.source).find(|source| versions.contains(source));
            let live = versions.iter().copied().filter(|node| self.nodes[*node].pruned.is_none()).max();
            let chosen = chosen.filter(|chosen| live.is_none() || self.nodes[*chosen].pruned.is_none());
            picked.push(chosen.or(live).unwrap_or(*versions.iter().max().unwrap()));
        }
        picked
    }

    /// `None`: a fork without a choice.
    pub fn walk(&self, leaf: usize, choices: &[Choice], remarks: bool) -> Option<Walk> {
        let mut groups = vec![vec![(leaf, StepRole::Primary)]];
        let mut orders = vec![];
        let mut at = leaf;
        while let Some(edge) = self.up(at, choices, false).ok()? {
            let primaries = self.primaries(edge, choices);
            let mut group: Vec<_> =
                self.of(edge, SourceRole::Context).into_iter().map(|node| (node, StepRole::Context)).collect();
            group.extend(primaries.iter().map(|node| (*node, StepRole::Primary)));
            groups.insert(0, group);
            orders.insert(0, self.of(edge, SourceRole::Instruction));
            at = primaries[0];
        }
        let all: Vec<_> = groups.concat();
        let mut seen = vec![];
        let mut walk = Walk { steps: vec![], instructions: vec![], hidden: vec![] };
        let mut order = vec![];
        for (node, role) in &all {
            let on_path = all.contains(&(*node, StepRole::Primary));
            if (*role == StepRole::Primary || !on_path) && !seen.contains(node) {
                seen.push(*node);
                order.push((*node, *role));
            }
        }
        for (node, role) in order {
            if let Some(why) = self.why(node, remarks) {
                walk.hidden.push((node, why));
                continue;
            }
            walk.steps.push((node, role));
            if remarks && role == StepRole::Primary {
                for remark in self.remarks(node) {
                    if seen.contains(&remark) {
                        continue;
                    }
                    seen.push(remark);
                    match self.why(remark, true) {
                        Some(why) => walk.hidden.push((remark, why)),
                        None => walk.steps.push((remark, StepRole::Annotation)),
                    }
                }
            }
        }
        for node in orders.concat() {
            if seen.contains(&node) {
                continue;
            }
            seen.push(node);
            match self.why(node, remarks) {
                Some(why) => walk.hidden.push((node, why)),
                None => walk.instructions.push(node),
            }
        }
        Some(walk)
    }

    fn remarks(&self, node: usize) -> Vec<usize> {
        let is = |target: &usize| {
            let edges = self.incoming(*target);
            let mut edges = edges.iter().filter(|edge| self.edges[**edge].kind == EdgeType::Annotation);
            self.is_remark(*target) && edges.any(|edge| self.of(*edge, SourceRole::Primary).contains(&node))
        };
        (0..self.nodes.len()).filter(is).collect()
    }

    pub fn why(&self, node: usize, remarks: bool) -> Option<HiddenReason> {
        match &self.nodes[node] {
            Node { excluded: true, .. } => Some(HiddenReason::Excluded),
            Node { pruned: Some(_), .. } => Some(HiddenReason::Pruned),
            _ if self.is_remark(node) && !remarks => Some(HiddenReason::Annotation),
            _ => None,
        }
    }

    /// A version of a node; the number of the new one.
    pub fn edit(&mut self, old: usize) -> usize {
        let path = self.path;
        let choices = self.paths[path].choices.clone();
        let edge = match self.up(old, &choices, true) {
            Ok(edge) => edge,
            Err(several) => several.first().copied(),
        };
        let new = self.push(Some(old));
        let is_remark = edge.is_some_and(|edge| self.edges[edge].kind == EdgeType::Annotation);
        if let Some(edge) = edge {
            self.edges.push(Edge { target: new, ..self.edges[edge].clone() });
        }
        for choice in choices.iter().filter(|choice| choice.target == old && choice.source.is_some()) {
            self.paths[path].choices.push(Choice { target: new, edge: None, ..*choice });
        }
        if is_remark {
            if self.paths[path].active == Some(old) {
                self.paths[path].active = Some(new);
            }
        } else if self.mode == TreeMode::Dialogue {
            self.paths[path].active = Some(new);
        } else {
            for edge in 0..self.edges.len() {
                let Edge { kind, sources, target } = &mut self.edges[edge];
                let place = sources.iter().position(|source| *source == (old, SourceRole::Primary));
                if let (EdgeType::Continuation, Some(place)) = (*kind, place) {
                    sources.insert(place + 1, (new, SourceRole::Primary));
                    let choice = Choice { target: *target, edge: None, source: Some(new) };
                    self.put(path, choice);
                }
            }
            if self.paths[path].active == Some(old) {
                self.paths[path].active = Some(new);
            }
        }
        new
    }

    /// Everything that cannot be reached any more is pruned with it: reachability computed anew from the live ones.
    pub fn prune(&mut self, node: usize) -> usize {
        if self.nodes[node].pruned.is_some() {
            return 0;
        }
        self.nodes[node].pruned = Some(node);
        let mut count = 1;
        loop {
            let dead = |at: &usize| {
                let edges = self.incoming(*at);
                self.nodes[*at].pruned.is_none() && !edges.is_empty() && !edges.iter().any(|edge| self.live(*edge))
            };
            let all: Vec<usize> = (0..self.nodes.len()).filter(dead).collect();
            if all.is_empty() {
                return count;
            }
            for at in all {
                self.nodes[at].pruned = Some(node);
                count += 1;
            }
        }
    }

    /// `None`: refused.
    pub fn restore(&mut self, node: usize) -> Option<usize> {
        let Some(by) = self.nodes[node].pruned else { return Some(0) };
        let edges = self.incoming(node);
        if by != node || (!edges.is_empty() && !edges.iter().any(|edge| self.live(*edge))) {
            return None;
        }
        let all: Vec<usize> = (0..self.nodes.len()).filter(|at| self.nodes[*at].pruned == Some(node)).collect();
        all.iter().for_each(|at| self.nodes[*at].pruned = None);
        Some(all.len())
    }
}
